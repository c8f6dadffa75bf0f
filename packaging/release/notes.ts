import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const changelog = fileURLToPath(new URL('../../CHANGELOG.md', import.meta.url))

/**
 * Returns the section of the changelog about a version.
 *
 * @throws if there is none
 */
export function notesOf(version: string, text = readFileSync(changelog, 'utf8')): string {
  const sections = text.split(/^## /m).slice(1)
  const heading = new RegExp(`^\\[?${version.replaceAll('.', '\\.')}\\]?(\\s|$)`)
  const found = sections.find((section) => heading.test(section))
  if (!found) throw new Error(`CHANGELOG.md has no section ${version}`)
  return found.slice(found.indexOf('\n') + 1).trim()
}
