import type { z } from 'zod'
import type { HostFields } from '../core/hosts/host-fields.ts'
import type { OwnedContainer } from '../core/owners/container-owner.ts'
import type { ContainerDetails as Details } from '../core/records/container.ts'
import type { Container, ContainerDetails } from './schema.ts'

/** Returns a container in the API's list form. */
export function containerView(
  item: OwnedContainer,
  hostFields: HostFields,
): z.input<typeof Container> {
  return {
    id: item.id,
    name: item.name,
    image: item.image,
    image_id: item.imageId,
    state: item.state,
    status: item.status,
    health: item.health,
    created_at: item.createdAt,
    ports: item.ports,
    labels: item.labels,
    owner: item.owner,
    stack: item.stack,
    service: item.service,
    volume_names: item.volumeNames,
    network_names: item.networkNames,
    ...hostFields,
  }
}

/**
 * Returns all details of a container. Values of its environment are included only for callers who
 * may read secrets.
 */
export function detailsView(
  item: Details & Pick<OwnedContainer, 'owner'>,
  hostFields: HostFields,
  mayReadSecrets: boolean,
): z.input<typeof ContainerDetails> {
  return {
    ...containerView(item, hostFields),
    command: item.command,
    entrypoint: item.entrypoint,
    env: mayReadSecrets ? item.env : item.env.map((line) => line.replace(/=.*$/s, '')),
    mounts: item.mounts,
    networks: item.networks,
    restart_policy: item.restartPolicy,
    started_at: item.startedAt,
    finished_at: item.finishedAt,
    exit_code: item.exitCode,
    health_output: item.healthOutput,
  }
}
