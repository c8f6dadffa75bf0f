import { type AgentUpgradePorts, upgradeAgents } from '../core/agent-upgrades/upgrade-agents.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary: 'Upgrades agents one after the other, as someone asked for',
  everySeconds: 5,
  run: (ports: AgentUpgradePorts, signal) => upgradeAgents(ports, signal),
})
