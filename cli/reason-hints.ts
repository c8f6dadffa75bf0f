import type { Reason } from '../functions/compose/reason.ts'

/** What helps, by the reason of a failure, where the message of the service does not say it. */
const hints: Partial<Record<Reason, string>> = {
  'stale-revision': 'someone changed it in the meantime: get it again and repeat your change',
  'confirmation-required': 'run cli login, and repeat the command within 15 minutes',
  'references-not-accepted':
    'cli stacks plan <name> shows why; accept them with --accept-references NAME,... of cli stacks deploy',
  policy: 'ask an admin to do it, or for a role that has stacks:privileged',
  drift:
    'cli stacks plan lists what differs; cli stacks diff <name> --from deployed --to host shows edited files',
  blocked: 'it acts as an account that may no longer do this: save it again with your account',
  'lease-held': 'try again when that is done',
  'host-offline': 'start the agent on that host; cli hosts list shows which hosts are online',
  'host-revoked': 'cli hosts delete removes it from the list, cli hosts enrol adds it again',
  'slow-reader': 'write the output to a file, or read it faster',
  overloaded: 'try again in a moment',
  'engine-busy': 'try again in a moment',
  'engine-failed': 'check on that host whether Docker runs: docker info',
  'registry-unreachable': 'check the name of the registry, and network and proxy of the host',
  'registry-refused': 'check the name and tag; cli registries create stores credentials',
  'store-unavailable': 'the service may be restarting: try again in a moment',
  'disk-full': 'free space on that disk; cli images prune removes unused images',
}

/** What helps if something is blocked, by how the message of the service begins. */
const blockedHints: readonly (readonly [RegExp, string])[] = [
  [/^backup job /, 'cli backups jobs shows why; cli backups take-over <job> makes it act as you'],
  [/^job /, 'cli stacks jobs update --take-over <stack> <job> makes it act as you'],
  [
    /^(?:source|stack) \S+: (?:the|its) hook /,
    'cli sources hook and cli stacks hook show why; with rotate, the hook acts as you',
  ],
  [
    /^(?:source|stack) /,
    'cli sources get <source> shows as whom it acts; cli sources update <source> --ref <ref> makes it act as you',
  ],
]

/** Reasons that last until someone does something about them. */
const lastingReasons: Reason[] = ['host-revoked', 'registry-refused', 'disk-full']
const lasting: readonly string[] = lastingReasons

/**
 * Returns what the user can do about a failure, or undefined. A newer service has more reasons.
 *
 * @param message that of the service: it says what was blocked
 */
export function hintOf(reason: string | undefined, message = ''): string | undefined {
  const found = reason === 'blocked' && blockedHints.find(([begin]) => begin.test(message))
  if (found) return found[1]
  return reason !== undefined && Object.hasOwn(hints, reason) ? hints[reason as Reason] : undefined
}

/** Returns whether a failure with this reason stays until someone does something about it. */
export const isLasting = (reason: string | undefined): boolean =>
  reason !== undefined && lasting.includes(reason)
