import type { Service } from '../service.ts'
import { mapOf } from '../yaml/tree.ts'
import type { BoundModel } from './bind.ts'

/**
 * Removes the networks, volumes, secrets and configs that no service uses, so that they are not
 * created.
 */
export function prune(model: BoundModel): BoundModel {
  const services = Object.values(model.services)
  const keep = <T>(
    resources: Record<string, T>,
    used: (service: Service) => (string | undefined)[],
  ) => {
    const names = new Set(services.flatMap(used))
    return mapOf(Object.entries(resources).filter(([name]) => names.has(name)))
  }
  return {
    ...model,
    networks: keep(model.networks, (service) => Object.keys(service.networks ?? {})),
    volumes: keep(model.volumes, (service) =>
      (service.volumes ?? []).filter(({ type }) => type === 'volume').map(({ source }) => source),
    ),
    secrets: keep(model.secrets, (service) => [
      ...(service.secrets ?? []).map(({ source }) => source),
      ...(service.build?.secrets ?? []).map(({ source }) => source),
    ]),
    configs: keep(model.configs, (service) => (service.configs ?? []).map(({ source }) => source)),
  }
}
