import type { LeftOut } from '../../records/backup-manifest.ts'
import type { FoundSockets } from '../../records/host-engine.ts'
import type { LostTimes } from '../../tar/lost-times.ts'
import type { BackupPart } from './backup-parts.ts'

/** The longest list in a manifest, and characters of each of its texts. */
export const leftOutMax = { count: 1000, text: 400 }

/** Warnings of a run about what is left out. More are counted in one line. */
const warningsMax = 50

/** What a warning says of something that is left out. */
type Missing = 'not backed up' | 'not in the backup' | 'not restored'

/**
 * Returns a warning for each thing that is left out, up to a limit:
 *
 * `stack shop: /ext of service web is not backed up: /srv/ext is outside of the stack's directory`
 */
export function leftOutWarnings(found: readonly LeftOut[], missing: Missing): string[] {
  const warnings = found.slice(0, warningsMax).map(({ stack, service, what, reason }) => {
    const owner = service === null ? '' : ` of service ${service}`
    return `stack ${stack}: ${what}${owner} is ${missing}: ${reason}`
  })
  const more = found.length - warnings.length
  return more > 0 ? [...warnings, `${more} more things that stacks use are ${missing}`] : warnings
}

/** Returns the warning about files of a part whose time a restore cannot set. */
export function lostTimesText({ label }: Pick<BackupPart, 'label'>, { count, first }: LostTimes) {
  const which =
    count === 1 ? `${plainLine(first)} has` : `${plainLine(first)} and ${count - 1} more have`
  return `${label}: ${which} a time before 1970 or after 2262: a restore sets it to 1970-01-01`
}

/** Names of sockets in a warning. */
const socketNamesMax = 10

/** Returns the warning about the sockets of a part, which no archive contains. */
export function socketsText({ label }: Pick<BackupPart, 'label'>, { count, paths }: FoundSockets) {
  const names = paths.slice(0, socketNamesMax).map((path) => plainLine(path, 100))
  const more = count > names.length ? [`${count - names.length} more`] : []
  const sockets = count === 1 ? '1 socket is' : `${count} sockets are`
  return `${label}: ${sockets} not backed up, programs make new ones: ${[...names, ...more].join(', ')}`
}

/**
 * Returns a text as one bounded line. Labels and paths are written by others: control and format
 * characters could affect a terminal or the direction of text.
 */
export function plainLine(text: string, most = leftOutMax.text): string {
  const line = text
    .slice(0, 2 * most)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  return line.length > most ? `${line.slice(0, most - 1)}…` : line
}
