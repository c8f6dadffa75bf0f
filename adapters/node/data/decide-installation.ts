/** The installation that a data directory belongs to. */
export interface Installation {
  id: string
  /** Whether the store has the id too. It is false between the first two writes. */
  stored: boolean
}

/**
 * Parses the file `installation`.
 *
 * @throws Error if it is malformed
 */
export function parseInstallation(text: string): Installation {
  const { id, stored } = (JSON.parse(text) ?? {}) as Installation
  if (!/^[0-9a-f-]{36}$/.test(id) || typeof stored !== 'boolean')
    throw new Error('it does not hold an id')
  return { id, stored }
}

/** The state of a data directory and a store before the service writes to either. */
export interface InstallationState {
  here: Installation | undefined
  /** The id in the store. */
  stored: string | undefined
  /** The directory or the configuration has the secret keys. */
  hasKeys: boolean
  /** The directory has the head of an audit chain in this table: the service was set up. */
  hasHistory: boolean
  /** The store has an account. */
  isSetUp: boolean
}

/**
 * `join`: write the id of the store here. `create`: create an id and write it to both. `finish`:
 * write the id to the store.
 */
export type Verdict = 'same' | 'join' | 'create' | 'finish' | { refusal: string }

/**
 * Decides whether a data directory and a store belong together. A store that lost its contents must
 * not look like a first start, which would let anyone set up the service. A new directory must not
 * create keys that cannot decrypt the store.
 */
export function decideInstallation({
  here,
  stored,
  hasKeys,
  hasHistory,
  isSetUp,
}: InstallationState): Verdict {
  if (here && stored) return here.id === stored ? 'same' : { refusal: foreign }
  if (here) return here.stored ? { refusal: emptied } : 'finish'
  if (stored) return hasKeys ? 'join' : { refusal: keyless }
  if (hasHistory && !isSetUp) return { refusal: emptied }
  if (isSetUp && !hasKeys) return { refusal: keyless }
  return 'create'
}

const foreign =
  'the store belongs to another data directory. Name the right one with SERVICE_DATA_DIR, or the right store with SERVICE_STORE and SERVICE_DYNAMODB_TABLE'
const emptied =
  'the service was set up with this data directory, and the store is empty. Look at SERVICE_STORE, dynamodb/access-key, SERVICE_DYNAMODB_ENDPOINT and SERVICE_DYNAMODB_TABLE, or restore a system backup (npm run restore)'
const keyless =
  'the store belongs to a service that was set up, and this data directory does not hold its keys. Name the right one with SERVICE_DATA_DIR, or copy its files here'
