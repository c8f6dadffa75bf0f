import { wrongUsage } from '../failure.ts'

/** The flags of commands that deploy or plan some services. */
interface SelectionFlags {
  noDeps: boolean
  profile: readonly string[]
}

/** Returns which services and profiles the flags and arguments of a command select. */
export function selectionOf(services: readonly string[], { noDeps, profile }: SelectionFlags) {
  if (noDeps && services.length === 0) throw wrongUsage('--no-deps needs the name of a service')
  const names = profile.flatMap((text) => text.split(',')).filter((name) => name !== '')
  return {
    services: services.length > 0 ? [...services] : undefined,
    dependencies: noDeps ? false : undefined,
    profiles: profile.length > 0 ? names : undefined,
  }
}
