import { isInHistory, lastChangeOf } from '../test/changes.mjs'
import { type RingRecords, recordedRuns } from '../test/ring-records.mjs'
import { type Part, parts } from '../test/second-ring-parts.mjs'

/** What is asked of the history of this clone. */
interface History {
  lastChangeOf: (places: readonly string[]) => { commit: string; date: string } | undefined
  isInHistory: (commit: string, later: string) => boolean
}

/**
 * Returns a line for each part of the second ring whose last run is missing, failed or older than
 * the last change of what it covers. The line names the command that runs the part.
 */
export function unprovenParts(
  records: RingRecords = recordedRuns(),
  history: History = { lastChangeOf, isInHistory },
  all: readonly Part[] = parts,
): string[] {
  return all.flatMap((part) => {
    const problem = problemOf(part, records, history)
    return problem ? [`second ring, ${part.name}: ${problem}. Run: ${part.command}`] : []
  })
}

function problemOf({ name, covers }: Part, records: RingRecords, history: History) {
  const record = Object.hasOwn(records, name) ? records[name] : undefined
  if (!record) return 'no run is recorded'
  const { date, commit, passed, failed } = record
  const run = `its last run, on ${date} at ${commit.slice(0, 8)}`
  if (failed > 0 || passed === 0) return `${run}, had ${passed} passed and ${failed} failed tests`
  const change = history.lastChangeOf(covers)
  if (!change || history.isInHistory(change.commit, commit)) return undefined
  return `${run}, does not have the change of ${change.date} in ${change.commit.slice(0, 8)}`
}
