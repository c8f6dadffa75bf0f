import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { pagesOf, type Source } from '../rules/source.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A Markdown page, by its path from the top of the repository. */
export type Page = Source

/** Returns every page of the documentation. */
export const allPages = (): Page[] => ['.', 'docs'].flatMap(pagesOf)

/** Returns whether a path from the top exists. */
export const pathExists = (path: string) => existsSync(`${root}/${path}`)

/** Returns the lines outside fenced code blocks. */
export function proseOf({ text }: Page): string[] {
  let isCode = false
  return text.split('\n').filter((line) => {
    const isFence = /^\s*```/.test(line)
    if (isFence) isCode = !isCode
    return !isCode && !isFence
  })
}
