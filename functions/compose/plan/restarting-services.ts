import type { RestartingService } from '../cut-off-services.ts'
import type { Service } from '../service.ts'
import { namespaceServices } from './order.ts'

/**
 * Returns with which others each service has to restart, as the files say. The labels of a
 * container do not if its service was deployed alone: they name no dependencies then.
 */
export const restartingServices = (
  services: Readonly<Record<string, Service>>,
): RestartingService[] =>
  Object.entries(services).map(([service, definition]) => ({
    service,
    restartsWith: [
      ...namespaceServices(definition),
      ...Object.entries(definition.depends_on ?? {}).flatMap(([name, { restart }]) =>
        restart ? name : [],
      ),
    ],
  }))
