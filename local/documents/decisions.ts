import type { Page } from './pages.ts'

const parts = ['## Context', '## Decision', '## Consequences']

/**
 * Returns what decision records lack: a number, a status, a date, sections, an entry in the index.
 */
export function decisionOffences(decisions: readonly Page[], index: string): string[] {
  const numbers = decisions.map(({ path }) => numberOf(path))
  return decisions.flatMap(({ path, text }) => {
    const number = numberOf(path)
    const offences = [
      !text.startsWith(`# ${number}: `) && `its title does not begin with ${number}`,
      !/^Status: \w+.*, \d{4}-\d\d-\d\d$/m.test(text) && 'it has no status with a date',
      ...parts.map((part) => !text.includes(`\n${part}\n`) && `it has no "${part}"`),
      !index.includes(`](${path.split('/').at(-1)})`) && 'it is not in the index',
      numbers.indexOf(number) !== numbers.lastIndexOf(number) && 'its number is taken twice',
    ]
    return offences.filter((offence) => offence !== false).map((offence) => `${path}: ${offence}`)
  })
}

/** How many decisions there may be, and how many lines each may have: about one screen. */
const decisionsMax = 25
const linesMax = 70

/** Returns the decisions that are too long, and whether there are too many. */
export function limitOffences(decisions: readonly Page[]): string[] {
  const long = decisions.filter(({ text }) => text.trimEnd().split('\n').length > linesMax)
  return [
    ...long.map(({ path }) => `${path}: it has more than ${linesMax} lines`),
    ...(decisions.length > decisionsMax
      ? [`docs/adr: there are more than ${decisionsMax} decisions`]
      : []),
  ]
}

const numberOf = (path: string) => /(\d+)-[^/]*$/.exec(path)?.[1] ?? ''
