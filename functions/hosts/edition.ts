import type { Host } from '../core/records/host.ts'
import { editionOf } from '../kit/entity-tag.ts'
import type { Edition } from '../kit/if-match.ts'

/** Returns the edition of a host. A new certificate of its agent does not change it. */
export const hostEdition = ({ name, tags, address = null, agent }: Host): Edition =>
  editionOf([name, tags, address, agent?.state])
