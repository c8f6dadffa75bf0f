import { wrongUsage } from '../failure.ts'
import { scaleOf } from './scale.ts'

export const scaleFlag = {
  '--scale <...service=number>':
    'Give a service this many containers, until its next deploy; repeatable',
} as const

/** The flags of commands that deploy or plan some services. */
interface SelectionFlags {
  noDeps: boolean
  profile: readonly string[]
  scale: readonly string[]
}

/**
 * Returns which services and profiles the flags and arguments of a command select, and how many
 * containers services get.
 */
export function selectionOf(
  services: readonly string[],
  { noDeps, profile, scale }: SelectionFlags,
) {
  const scales = scale.map(scaleOf).map(({ service, replicas }) => [service, replicas] as const)
  if (noDeps && services.length === 0) throw wrongUsage('--no-deps needs the name of a service')
  const names = profile.flatMap((text) => text.split(',')).filter((name) => name !== '')
  return {
    services: services.length > 0 ? [...services] : undefined,
    dependencies: noDeps ? false : undefined,
    profiles: profile.length > 0 ? names : undefined,
    scale: scales.length > 0 ? Object.fromEntries(scales) : undefined,
  }
}
