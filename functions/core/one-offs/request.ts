import type { Reach } from '../../compose/project.ts'
import type { Stored } from '../ports/collection.ts'
import type { StackRecord } from '../records/stack.ts'

/** A request to run a command in a new container of a service. */
export interface OneOffRequest {
  stack: Stored<StackRecord>
  service: string
  command?: readonly string[] | undefined
  entrypoint?: readonly string[] | undefined
  environment?: Readonly<Record<string, string>> | undefined
  user?: string | undefined
  /** Ports to publish, as `[address:]port:port of the container[/protocol]`. */
  publish: readonly string[]
  /** Publishes the ports of the service. */
  servicePorts: boolean
  tty: boolean
  /** Keeps the container after its end. */
  keep: boolean
  /** The services that it depends on must be up. */
  dependencies: boolean
  accountId: string
  /** The id of the run of a job that asks for it. */
  jobRun?: string | undefined
  /** What the project may access, by the permissions of the caller. */
  reach: Reach
  /** Returns whether the caller may read and deploy a stack. */
  mayDeploy(stack: string): Promise<boolean>
}
