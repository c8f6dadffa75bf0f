import type { Host } from '../core/records/host.ts'
import { type Edition, editionOf } from '../kit/entity-tag.ts'

/** Returns the edition of a host. A new certificate of its agent does not change it. */
export const hostEdition = ({ name, tags, address = null, agent }: Host): Edition =>
  editionOf([name, tags, address, agent?.state])
