import { printDocument } from '../yaml/print-document.ts'
import { configPart } from './config-part.ts'
import type { Neighbours, Outside } from './containers.ts'
import { environmentPart } from './environment-part.ts'
import { type Fields, textAt } from './fields.ts'
import { hostPart } from './host-part.ts'
import type { ContainerInspection } from './inspection.ts'
import { literal } from './literal.ts'
import { mountsPart } from './mounts-part.ts'
import { networksPart } from './networks-part.ts'
import { portsPart } from './ports-part.ts'
import { resourcesPart } from './resources-part.ts'
import { type VariableFile, variableFile } from './variable-file.ts'

/** The files of a stack that would run containers as they run now. */
export interface ContainersFile {
  /** The text of `compose.yaml`. */
  compose: string
  /** The text of `.env`, with values that look like secrets; null if there are none. */
  env: string | null
  /** What the files cannot say, and what else a reader has to know. */
  warnings: string[]
}

/** What is known besides the containers themselves. */
export interface ContainersContext {
  /** Id of each container of the host → its name. */
  containerNames: ReadonlyMap<string, string>
  /** Ids of the containers whose values the caller may not read. */
  hidden: ReadonlySet<string>
}

/**
 * Writes running containers as one project: what the Engine shows of each, less what its image and
 * the Engine give. Each is a service of its name. Networks and volumes exist, and are external.
 * Which service depends on which is not guessed.
 */
export function writeContainers(
  inspections: readonly ContainerInspection[],
  { containerNames, hidden }: ContainersContext,
): ContainersFile {
  const neighbours: Neighbours = {
    containerNames,
    services: new Set(inspections.map(({ name }) => name)),
    volumeNames: new Set(inspections.flatMap(({ mounts }) => mounts.map(({ name }) => name))),
  }
  const variables = variableFile()
  const written = inspections.map((one) => {
    const showsValues = !hidden.has(one.id)
    return { name: one.name, ...writeContainer(one, { neighbours, variables, showsValues }) }
  })
  const networks = written.flatMap(({ outside }) => Object.entries(outside.networks))
  const volumes = written.flatMap(({ outside }) => Object.entries(outside.volumes))
  return {
    compose: printDocument({
      services: Object.fromEntries(written.map(({ name, service }) => [name, service])),
      ...(networks.length > 0 && { networks: literal(Object.fromEntries(networks)) }),
      ...(volumes.length > 0 && { volumes: literal(Object.fromEntries(volumes)) }),
    }),
    env: variables.text(),
    warnings: written.flatMap(({ name, left }) => left.map((line) => `${name}: ${line}`)),
  }
}

interface Context {
  neighbours: Neighbours
  variables: VariableFile
  showsValues: boolean
}

function writeContainer(
  inspection: ContainerInspection,
  { neighbours, variables, showsValues }: Context,
): { service: Fields; outside: Outside; left: string[] } {
  const environment = environmentPart(inspection, showsValues, variables)
  const mounts = mountsPart(inspection, neighbours)
  const networks = networksPart(inspection, neighbours)
  const config = configPart(inspection, showsValues)
  const ports = portsPart(inspection)
  const host = hostPart(inspection, neighbours, showsValues)
  const resources = resourcesPart(inspection.hostConfig)
  const { labels, ...start } = config.fields
  const parts = [ports, mounts, networks, host, resources]
  const rest = literal(Object.assign({}, ...parts.map(({ fields }) => fields))) as Fields
  return {
    service: {
      image: literal(textAt(inspection.config, 'Image')),
      container_name: inspection.name,
      ...(literal(start) as Fields),
      // Its values may have variables.
      ...environment.fields,
      ...rest,
      ...(labels !== undefined && { labels: literal(labels) }),
    },
    outside: { networks: networks.networks, volumes: mounts.volumes },
    left: [
      ...imageLines(inspection),
      ...[config, environment, ...parts].flatMap(({ left }) => left),
    ],
  }
}

function imageLines({ config, imageId, imageConfig, isImageMoved }: ContainerInspection): string[] {
  const image = textAt(config, 'Image')
  if (!imageConfig) return [`image: ${image} is gone, so what it gave is written out`]
  return isImageMoved
    ? [`image: ${image} is another image by now, which a deploy takes; it was ${imageId}`]
    : []
}
