import type { PlanBody } from '../api/types.ts'
import { acceptedOf, acceptFlag } from './accept-references.ts'
import { choiceOf } from './choice.ts'
import { revisionOf } from './revision-flag.ts'
import { scaleFlag, selectionOf } from './selection.ts'
import { timeoutFlag, timeoutOf } from './timeout-flag.ts'

/** The flags that decide what a deploy does. A plan has the same. */
export const deployFlags = {
  '--no-deps': 'Leave the services alone that the named ones depend on',
  '--profile <...name>': 'Activate a profile; defaults to those of the last deploy, "" is none',
  '--environment <name>': 'Apply the overlay compose.<name>.yaml',
  '--pull <when>': 'missing, always or never; defaults to the compose file',
  '--build': 'Build images that have a build section again, even if the host has them',
  '--force-recreate': 'Also recreate unchanged containers',
  '--remove-orphans': 'Remove containers of services that are no longer in the file',
  '--take-over': 'Replace containers of no project that have the container_name of a service',
  ...scaleFlag,
  '--no-start': 'Create containers, but do not start them',
  '--all-resources': 'Also create the networks and volumes that no service uses',
  ...timeoutFlag,
  '--on-drift <what>':
    'What to do with files edited on the host: fail (the default), overwrite or import',
  ...acceptFlag,
  '--revision <n>': 'Only this revision of the files, such as the one that the plan shows',
} as const

/** The fields of the API whose flags have other names. */
export const deployFields = {
  dependencies: '--no-deps',
  start: '--no-start',
  profiles: '--profile',
  scale: '--scale',
  timeout_seconds: '--timeout',
} as const

interface DeployFlags {
  noDeps: boolean
  profile: readonly string[]
  environment: string | undefined
  pull: string | undefined
  build: boolean
  forceRecreate: boolean
  removeOrphans: boolean
  takeOver: boolean
  scale: readonly string[]
  noStart: boolean
  allResources: boolean
  timeout: string | undefined
  onDrift: string | undefined
  acceptReferences: readonly string[]
  revision: string | undefined
}

/** Returns what the flags and arguments of a command ask of a deploy. */
export function deployBodyOf(services: readonly string[], flags: DeployFlags): PlanBody {
  return {
    environment: flags.environment,
    pull: choiceOf('--pull', flags.pull, ['missing', 'always', 'never']),
    build: flags.build ? 'always' : undefined,
    force_recreate: flags.forceRecreate || undefined,
    remove_orphans: flags.removeOrphans || undefined,
    take_over: flags.takeOver || undefined,
    start: flags.noStart ? false : undefined,
    all_resources: flags.allResources || undefined,
    ...selectionOf(services, flags),
    timeout_seconds: timeoutOf(flags),
    on_drift: choiceOf('--on-drift', flags.onDrift, ['fail', 'overwrite', 'import']),
    accept_references: acceptedOf(flags),
    revision: revisionOf(flags.revision),
  }
}
