import type { Host } from '../../data/hosts.ts'
import { State, type StateName } from '../../parts/state.tsx'
import { t } from '../../text/text.ts'

const states: Record<Host['status'], StateName> = {
  online: 'running',
  offline: 'failed',
  pending: 'working',
  revoked: 'stopped',
}

/** The state of a host. A warning of one that is online needs attention. */
export function HostState({ of: { status, warning } }: { of: Pick<Host, 'status' | 'warning'> }) {
  const name = status === 'online' && warning ? 'attention' : states[status]
  return <State of={name} word={t.hosts.status[status]} />
}
