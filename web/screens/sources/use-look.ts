import { lookAtSource } from '../../data/sources.ts'
import { useAct } from '../../data/use-act.ts'
import { t } from '../../text/text.ts'

/** Returns the action that asks a source now. The list says why one could not be read. */
export const useLook = () =>
  useAct(lookAtSource, {
    ended: ({ name, last_error }) => (last_error ? undefined : t.sources.looked(name)),
    failed: t.sources.notLooked,
  })
