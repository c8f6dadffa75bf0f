import { enrolHost, type RunningAgent, startAgent, untilHostStatus } from './agent.ts'
import { freePort } from './free-port.ts'
import { type Machine, type MachineOptions, startMachine } from './machine.ts'
import { newPlace, type Place, type Running, setUpAdmin, startIn } from './service.ts'

/** A machine that runs the agent of the host `far`, and the service that it is connected to. */
export interface FarMachine {
  machine: Machine
  place: Place
  running: Running
  /** The access token of the admin. */
  token: string
  /** The host's ID and the agent's directory. */
  host: { id: string; directory: string }
  agent: RunningAgent
  /** Starts the agent, after the machine booted. */
  startAgent(): RunningAgent
  /** Stops the service and removes the machine. */
  remove(): Promise<void>
}

/** Starts the service, a machine and the agent of its host. Returns when the host is online. */
export async function startFarMachine(options: MachineOptions = {}): Promise<FarMachine> {
  const machine = await startMachine(options)
  let place: Place | undefined
  const remove = async () => {
    await place?.remove()
    machine.remove()
  }
  try {
    const port = await freePort()
    const servicePlace = newPlace({
      SERVICE_AGENT_PORT: String(port),
      SERVICE_AGENT_ENDPOINT: `${machine.network.outside}:${port}`,
    })
    place = servicePlace
    const running = await startIn(servicePlace)
    const token = await setUpAdmin(servicePlace, running)
    const host = await enrolHost(servicePlace, running, token, { name: 'far' })
    const start = () =>
      startAgent(servicePlace, host.directory, machine.env, machine.network.prefix)
    const agent = start()
    await untilHostStatus(running, token, host.id, 'online')
    return { machine, place: servicePlace, running, token, host, agent, startAgent: start, remove }
  } catch (error) {
    await remove()
    throw error
  }
}
