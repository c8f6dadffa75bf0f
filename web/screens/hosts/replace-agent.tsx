import type { Host } from '../../data/hosts.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { t } from '../../text/text.ts'

interface ReplaceAgentProps {
  host: Host
  onConfirm: () => void
  onClose: () => void
}

/** Asks before a host is enrolled whose agent may be connected. */
export const ReplaceAgent = ({ host: { name }, onConfirm, onClose }: ReplaceAgentProps) => (
  <Confirm
    title={t.hosts.replaceAsk(name)}
    action={t.hosts.enrolAgain(name)}
    lost={t.hosts.replaceLost}
    stays={t.hosts.replaceStays}
    onConfirm={onConfirm}
    onClose={onClose}
  />
)
