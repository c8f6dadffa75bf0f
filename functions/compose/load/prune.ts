import type { BoundModel } from '../project.ts'
import type { Service } from '../service.ts'
import { mapOf } from '../yaml/tree.ts'

/**
 * Removes the networks, volumes, secrets and configs that no service uses, so that they are not
 * created. With `allResources`, networks and volumes stay unless they are external.
 */
export function prune(model: BoundModel, allResources = false): BoundModel {
  const services = Object.values(model.services)
  const keep = <T extends object>(
    resources: Record<string, T>,
    used: (service: Service) => (string | undefined)[],
    isOwn: (resource: T) => boolean = () => false,
  ) => {
    const names = new Set(services.flatMap(used))
    return mapOf(Object.entries(resources).filter(([name, one]) => names.has(name) || isOwn(one)))
  }
  const isOwn = ({ external }: { external?: true }) => allResources && !external
  return {
    ...model,
    networks: keep(model.networks, (service) => Object.keys(service.networks ?? {}), isOwn),
    volumes: keep(
      model.volumes,
      (service) =>
        (service.volumes ?? []).filter(({ type }) => type === 'volume').map(({ source }) => source),
      isOwn,
    ),
    secrets: keep(model.secrets, (service) => [
      ...(service.secrets ?? []).map(({ source }) => source),
      ...(service.build?.secrets ?? []).map(({ source }) => source),
    ]),
    configs: keep(model.configs, (service) => (service.configs ?? []).map(({ source }) => source)),
  }
}

/** Returns the names of the external volumes, with those that no service uses. */
export const externalVolumes = ({ volumes }: Pick<BoundModel, 'volumes'>): string[] =>
  Object.values(volumes).flatMap(({ name, external }) => (external ? name : []))
