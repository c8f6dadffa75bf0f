import type Docker from 'dockerode'
import type { ContainerDetails } from '../../../functions/core/records/container.ts'
import { inspectContainer } from '../inspect/container.ts'
import { instant } from '../names/labels.ts'
import type { EngineClient } from '../transport/client.ts'
import { failedCheck } from './failed-check.ts'
import { summaryOf } from './listed.ts'

/**
 * Returns the details of one container by id or name.
 *
 * @throws 404 if there is no such container
 */
export async function containerDetails(
  client: EngineClient,
  id: string,
): Promise<ContainerDetails> {
  const inspected = await inspectContainer(client, id)
  const summary = await summaryOf(client, inspected.Id)
  const { Config, State, HostConfig, NetworkSettings, Mounts } = inspected
  return {
    ...summary,
    // The list has the id instead if the image has lost its name.
    image: Config.Image,
    command: listOf(Config.Cmd),
    entrypoint: listOf(Config.Entrypoint),
    env: Config.Env ?? [],
    mounts: Mounts.map((mount) => ({
      type: mount.Type ?? '',
      source: mount.Name ?? mount.Source,
      destination: mount.Destination,
      read_only: !mount.RW,
    })),
    networks: Object.entries(NetworkSettings.Networks).map(([name, network]) => ({
      name,
      ip_address: network.IPAddress,
      aliases: network.Aliases ?? [],
    })),
    restartPolicy: HostConfig.RestartPolicy?.Name || 'no',
    startedAt: instant(State.StartedAt),
    finishedAt: instant(State.FinishedAt),
    exitCode: exitCodeOf(inspected),
    healthOutput: failedCheck(inspected) ?? null,
  }
}

/** Returns the exit code of a stopped container, or null if it is running or was never started. */
export function exitCodeOf({ State }: Docker.ContainerInspectInfo): number | null {
  return State.Running || !instant(State.FinishedAt) ? null : State.ExitCode
}

function listOf(value: string | string[] | null | undefined): string[] {
  return typeof value === 'string' ? [value] : (value ?? [])
}
