/** Verbs whose forms do not follow the rule. */
const doing: Readonly<Record<string, string>> = {
  stop: 'stopping',
  exec: 'running',
  tag: 'tagging',
}
const done: Readonly<Record<string, string>> = {
  stop: 'stopped',
  exec: 'ran',
  write: 'written',
  build: 'built',
  tag: 'tagged',
}

/** Returns what happens while a step runs: `creating` for `create`. */
export const doingWord = (action: string): string =>
  doing[action] ?? `${action.replace(/e$/, '')}ing`

/** Returns what a step did: `created` for `create`. */
export const doneWord = (action: string): string => done[action] ?? `${action.replace(/e$/, '')}ed`
