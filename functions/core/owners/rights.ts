import type { Permission } from '../records/permissions.ts'

/** Whose a container, volume, network or image of a host is. */
export type OwnerKind = 'stack' | 'installation' | 'foreign'

/**
 * What an access needs besides the permission of its endpoint and a scope with the host:
 *
 * - `nothing`;
 * - `settings`: `settings:manage`, and an account whose scope has every host;
 * - `secrets`: `containers:secrets`;
 * - `deploy`: to own it, or to read and deploy the stack that does;
 * - `shared`: the same, or `stacks:privileged`, or a setting that lists it;
 * - `privileged`: `stacks:privileged`;
 * - `leaver`: to have deleted the stack that left it, or `stacks:privileged`;
 * - `own`: to be the stack that owns it;
 * - `never`: no account gets it;
 * - `refused`: 409 `own-installation` for everybody.
 */
export type Need =
  | 'nothing'
  | 'settings'
  | 'secrets'
  | 'deploy'
  | 'shared'
  | 'privileged'
  | 'leaver'
  | 'own'
  | 'never'
  | 'refused'

interface Row {
  what: string
  stack: Need
  installation: Need
  foreign: Need
}

const row = (what: string, stack: Need, installation: Need, foreign: Need): Row => ({
  what,
  stack,
  installation,
  foreign,
})

/** What each access to what an owner has needs. Nothing else decides it. */
export const rights = {
  list: row('list, usage', 'nothing', 'nothing', 'nothing'),
  inspect: row('inspect, processes', 'nothing', 'settings', 'nothing'),
  logs: row('logs', 'nothing', 'settings', 'nothing'),
  environment: row('values of environment variables', 'secrets', 'never', 'secrets'),
  start: row('start', 'nothing', 'refused', 'nothing'),
  'start-labelled': row('start what a label added', 'nothing', 'nothing', 'nothing'),
  stop: row('stop, restart, pause, kill', 'nothing', 'refused', 'nothing'),
  'stop-labelled': row('stop or remove what a label added', 'nothing', 'settings', 'nothing'),
  remove: row('remove, rename, disconnect', 'nothing', 'refused', 'nothing'),
  enter: row('exec, attach, read and write files, commit', 'nothing', 'refused', 'nothing'),
  reach: row('enter another container that has it', 'shared', 'refused', 'shared'),
  namespace: row('join a namespace, `volumes_from`', 'privileged', 'refused', 'privileged'),
  adopt: row('adopt its project', 'own', 'refused', 'nothing'),
  change: row('deploy, update, roll back, restore', 'nothing', 'refused', 'never'),
  'mount-volume': row('mount a volume', 'shared', 'refused', 'shared'),
  'copy-volume': row('back up a volume, restore it or into it', 'shared', 'refused', 'shared'),
  'remove-volume': row('remove a volume', 'own', 'refused', 'never'),
  'remove-left-volume': row('the same, left by a stack of its name', 'own', 'refused', 'leaver'),
  'delete-volume': row('remove a volume by hand', 'deploy', 'refused', 'privileged'),
  'join-network': row('join a network of a project', 'shared', 'refused', 'shared'),
  'join-handmade-network': row('join a network made by hand', 'shared', 'refused', 'nothing'),
  'take-name': row('take a name in a network', 'deploy', 'refused', 'privileged'),
  'remove-network': row('remove a network', 'own', 'refused', 'never'),
  'delete-network': row('remove a network by hand', 'deploy', 'refused', 'privileged'),
  'run-image': row('run an image, build from it', 'deploy', 'nothing', 'nothing'),
  'replace-image': row(
    'remove an image, give its name to another',
    'deploy',
    'refused',
    'privileged',
  ),
} as const satisfies Record<string, Row>

export type Verb = keyof typeof rights

/** The caller. What does not matter for a verb may be left out. */
export interface Asking {
  may?: (permission: Permission) => boolean
  /** The scope of the account has every host. */
  hasEveryHost?: boolean
  /** The caller may read and deploy the owner. */
  mayDeployOwner?: boolean
  /** The account of the caller deleted the stack that left it. */
  isLeaver?: boolean
  /** A setting lists the thing as one that every stack may use. */
  isShared?: boolean
}

/** Returns what an access lacks, or undefined if it is allowed. */
export function lacks(verb: Verb, owner: OwnerKind, asking: Asking = {}): Need | undefined {
  const need: Need = rights[verb][owner]
  return isMet(need, asking) ? undefined : need
}

function isMet(need: Need, asking: Asking): boolean {
  const { may, hasEveryHost, mayDeployOwner, isLeaver, isShared } = asking
  const isPrivileged = may?.('stacks:privileged') ?? false
  switch (need) {
    case 'nothing':
      return true
    case 'settings':
      return (may?.('settings:manage') ?? false) && (hasEveryHost ?? false)
    case 'secrets':
      return may?.('containers:secrets') ?? false
    case 'deploy':
      return isPrivileged || (mayDeployOwner ?? false)
    case 'shared':
      return isPrivileged || (mayDeployOwner ?? false) || (isShared ?? false)
    case 'privileged':
      return isPrivileged
    case 'leaver':
      return isPrivileged || (isLeaver ?? false)
    default:
      return false
  }
}
