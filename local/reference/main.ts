import { readFileSync, writeFileSync } from 'node:fs'
import { pages } from './pages.ts'

/** Writes the generated parts of docs/reference. */
for (const { path, fill } of pages) {
  writeFileSync(path, await fill(readFileSync(path, 'utf8')))
}
