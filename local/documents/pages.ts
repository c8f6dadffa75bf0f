import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A Markdown page, by its path from the top of the repository. */
export interface Page {
  path: string
  text: string
}

/** Returns every Markdown page of the repository, new ones too. */
export function allPages(): Page[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'],
    { cwd: root, encoding: 'utf8' },
  )
  return listed
    .split('\n')
    .filter((path) => path !== '' && existsSync(`${root}/${path}`))
    .map((path) => ({ path, text: readFileSync(`${root}/${path}`, 'utf8') }))
}

/** Returns the lines outside of fenced code, with their numbers from 1. */
export function proseLines({ text }: Page): { line: string; number: number }[] {
  let isCode = false
  return text.split('\n').flatMap((line, index) => {
    const isFence = /^\s*```/.test(line)
    if (isFence) isCode = !isCode
    return isCode || isFence ? [] : [{ line, number: index + 1 }]
  })
}
