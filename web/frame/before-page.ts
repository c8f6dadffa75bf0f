// Runs before everything else of the page.
import './first-theme.ts'
import './follow-theme.ts'
import './load-again-once.ts'
