import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { present } from '../../adapters/testing/present.ts'
import { root } from '../../packaging/contents/places.mjs'
import type { Page } from './pages.ts'

/**
 * Returns the shell code of a page below a heading, one text for each block. Tests run it, so that
 * a page cannot print commands that do not work.
 *
 * @param page its path from the top, such as `docs/upgrading.md`
 * @param values what stands for the page's placeholders: `older` for `<older>`
 * @throws if there is no such heading, no shell code below it, or a placeholder without a value
 */
export function commandsUnder(
  page: string,
  heading: string,
  values: Record<string, string> = {},
): string[] {
  const text = readFileSync(join(root, page), 'utf8')
  const blocks = shellBlocks(sectionOf({ path: page, text }, heading))
  if (blocks.length === 0) throw new Error(`${page}: no shell code below "${heading}"`)
  return blocks.map((block) => withValues(block, values))
}

/** Returns the text below a heading, up to the next one of any level below the title. */
export function sectionOf({ path, text }: Page, heading: string): string {
  const [, rest] = text.split(`# ${heading}\n`)
  if (rest === undefined) throw new Error(`${path}: no heading "${heading}"`)
  return present(rest.split(/^##+ /m)[0])
}

/** Returns the contents of the shell code blocks in a text. */
export const shellBlocks = (text: string): string[] =>
  [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => present(block))

function withValues(block: string, values: Record<string, string>): string {
  return block.replace(/<([a-z]+)>/g, (placeholder, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`there is no value for ${placeholder}`)
    return value
  })
}

/**
 * Returns the commands that copy or move the data directory of the Debian package by its path
 * alone. That path is a link: such a command leaves the data where it is.
 */
export const linkCopies = ({ path, text }: Page): string[] =>
  shellBlocks(text)
    .flatMap((block) => block.split('\n'))
    .filter((line) => /\b(cp|mv|rsync|tar)\b.*\/var\/lib\/container-stacks(?![-\w/])/.test(line))
    .map((line) => `${path}: ${line.trim()}`)
