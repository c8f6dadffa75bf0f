import { type MonitorPorts, monitorHosts } from '../core/alerts/monitor-loop.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary: 'Samples hosts and their containers and evaluates the alert rules',
  everySeconds: 5,
  run: (ports: MonitorPorts, signal) => monitorHosts(ports, signal),
})
