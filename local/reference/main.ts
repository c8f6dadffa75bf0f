import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { pages } from './pages.ts'

/** Writes the generated parts of docs/reference, and the manual pages. */
const manual = new URL('../../docs/man/', import.meta.url)
mkdirSync(manual, { recursive: true })
for (const name of readdirSync(manual)) rmSync(new URL(name, manual))
for (const { path, fill } of pages) {
  writeFileSync(path, await fill(existsSync(path) ? readFileSync(path, 'utf8') : ''))
}
