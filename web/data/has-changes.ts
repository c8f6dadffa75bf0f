import type { components } from './api.types.ts'

/** Returns whether changes of a stack are saved that are not deployed. */
export const hasChanges = ({
  status,
  operation,
  revision,
  deployed_revision,
}: components['schemas']['Stack']): boolean =>
  operation === null && status !== 'not_deployed' && revision !== deployed_revision
