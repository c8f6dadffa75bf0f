import { instant } from '../core/access/fields.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { AuditVerdict } from './schema.ts'

export default endpoint({
  summary: 'Verify the audit rows',
  description:
    'Reads every row and reports which were changed, removed, inserted or replaced after they were written.',
  access: 'audit:read',
  // The service also has an anchor outside the store.
  atService: true,
  returns: AuditVerdict,
  noTimeout: true,
  examples: {
    returns: {
      ok: false,
      rows: 41,
      head: { sequence: 42, mac: 'b5W0ZkQyZ3h0a2p5c2R1Zm9iYXJiYXpxdXV4MTIzNDU' },
      problems: [{ kind: 'missing', from: 17, to: 17, id: null }],
    },
  },

  async run(_input, { audit }: Needs<'audit'>) {
    const { head, checkpoint, ...verdict } = await audit.verify()
    return {
      ...verdict,
      head: head && { sequence: head.seq, mac: head.mac },
      ...(checkpoint && {
        checkpoint: { sequence: checkpoint.seq, time: instant(checkpoint.at) },
      }),
    }
  },
})
