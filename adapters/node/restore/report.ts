import type { RestoreSummary } from './apply.ts'
import type { CheckedArchive } from './check.ts'

/** Writes a line of the report. */
export type Say = (line: string) => void

/** Says what a backup contains, and what it lacks. */
export function sayContents(
  { about, counts, records, missingKeys }: CheckedArchive,
  say: Say,
): void {
  const found = Object.entries(records).map(([name, count]) => `${count} ${name}`)
  say(
    `State of ${about.createdAt}: ${found.join(', ')}; ${counts.logs} blocks of audit rows and logs`,
  )
  if (missingKeys.length === 0) return
  say(
    `WARNING: the backup does not contain the keys ${missingKeys.join(', ')}: values encrypted with them stay unreadable`,
  )
}

/** Says what the restored service found, and what to do next. */
export function saySummary({ interrupted, audit }: RestoreSummary, say: Say): void {
  if (interrupted > 0) {
    say(`${interrupted} deployments that were running at that time are marked as interrupted.`)
  }
  const { ok, rows, problems } = audit
  if (ok) say(`The ${rows} audit rows are intact; the newest one records this restore.`)
  else say(`WARNING: ${problems.length} of ${rows} audit rows are missing or were modified.`)
  say('Start the service now (npm start). Agents reconnect on their own.')
}

/** Returns a function that prints the progress every 5000 items. */
export function progress(total: number, say: Say): (items: number) => void {
  let said = 0
  return (items) => {
    if (items < total && items - said < 5000) return
    said = items
    say(`${items} of ${total} items`)
  }
}
