import { acceptFlag } from '../data/lost-keys.ts'

/** What the words of the command line ask for. */
export interface ServiceArguments {
  help: boolean
  /** Checks the data directory and exits. */
  check: boolean
  acceptLostKeys: boolean
  /** Replaces the container of the service, as the container that this service started for it. */
  upgradeHelper: boolean
}

export const usage = `Runs the service. Variables and config.yaml configure it: see docs/reference/configuration.md.

  --check             check the data directory and exit
  ${acceptFlag}  start once without keys that are lost
  --help              print this text
`

const known: Record<string, keyof ServiceArguments> = {
  '--check': 'check',
  [acceptFlag]: 'acceptLostKeys',
  // Not in the usage: only the service itself starts this.
  '--upgrade-helper': 'upgradeHelper',
  '--help': 'help',
  '-h': 'help',
}

/** Returns what the words ask for, or the first word that is unknown. */
export function parseArguments(words: readonly string[]): ServiceArguments | string {
  const parsed = { help: false, check: false, acceptLostKeys: false, upgradeHelper: false }
  for (const word of words) {
    const name = Object.hasOwn(known, word) ? known[word] : undefined
    if (!name) return word
    parsed[name] = true
  }
  return parsed
}
