// Runs before the first paint, so that a chosen theme does not flash.

const root = document.documentElement
const { theme, contrast } = localStorage
if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
const asksForMore = contrast === 'more' || matchMedia('(prefers-contrast: more)').matches
if (asksForMore) root.dataset.contrast = 'more'
