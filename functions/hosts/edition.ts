import type { Host } from '../core/records/host.ts'
import { editionOf } from '../kit/entity-tag.ts'
import type { Edition } from '../kit/if-match.ts'

/**
 * Returns the edition of a host. A renewed certificate of its agent does not change it; a
 * revocation and a new enrolment token do, also if the state of the agent is the same again
 * afterwards.
 */
export const hostEdition = ({ name, tags, address = null, agent }: Host): Edition =>
  editionOf([name, tags, address, agent?.state, agent?.accessChanges ?? 0])
