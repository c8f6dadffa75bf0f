import { flag, id, listOf, mapOf, number, object, oneOf, optional, text } from './shapes.ts'

/** The shapes of the Engine's responses, limited to what this adapter reads. */

const labels = optional(mapOf(text))
const texts = optional(listOf(text))
const words = optional((value, place) => (typeof value === 'string' ? text : texts)(value, place))

const mounts = listOf(
  object({
    Type: optional(text),
    Name: optional(text),
    Source: text,
    Destination: text,
    RW: flag,
  }),
)

const ports = listOf(
  object({ PrivatePort: number, PublicPort: optional(number), Type: text, IP: optional(text) }),
)

export const containerList = listOf(
  object({
    Id: id,
    Names: listOf(text),
    Image: text,
    ImageID: text,
    State: oneOf('created', 'running', 'paused', 'restarting', 'removing', 'exited', 'dead'),
    Status: text,
    Created: number,
    Ports: optional(ports),
    Labels: labels,
    NetworkSettings: optional(object({ Networks: optional(mapOf(object({ NetworkID: text }))) })),
    Mounts: mounts,
  }),
)

const healthCheck = object({ ExitCode: number, Output: text })

export const containerInspection = object({
  Id: id,
  Name: text,
  Image: text,
  RestartCount: number,
  Config: object({
    Image: text,
    Labels: labels,
    Env: texts,
    Cmd: words,
    Entrypoint: words,
  }),
  State: object({
    Running: flag,
    ExitCode: number,
    StartedAt: text,
    FinishedAt: text,
    Error: optional(text),
    OOMKilled: optional(flag),
    Health: optional(object({ Log: optional(listOf(healthCheck)) })),
  }),
  HostConfig: object({ RestartPolicy: optional(object({ Name: optional(text) })) }),
  NetworkSettings: object({
    Networks: mapOf(object({ NetworkID: text, IPAddress: text, Aliases: texts })),
  }),
  Mounts: mounts,
})

export const imageList = listOf(
  object({ Id: id, RepoTags: texts, RepoDigests: texts, Size: number, Created: number }),
)

export const imageInspection = object({
  Id: id,
  RepoTags: texts,
  RepoDigests: texts,
  Parent: optional(text),
  Size: optional(number),
  RootFS: optional(object({ Layers: texts })),
  Config: optional(object({ Labels: labels, Volumes: optional(object({})) })),
  Metadata: optional(object({ LastTagTime: optional(text) })),
  Os: optional(text),
  Architecture: optional(text),
  Variant: optional(text),
})

export const removedParts = listOf(object({ Deleted: optional(text) }))

export const imageSizes = listOf(object({ Id: id, Size: number, SharedSize: number }))

export const imageHistory = listOf(object({ Id: text, Size: number }))

export const networkList = listOf(
  object({
    Id: id,
    Name: text,
    Driver: text,
    Scope: text,
    Internal: flag,
    Created: text,
    Labels: labels,
  }),
)

export const networkInspection = object({
  Id: id,
  Name: text,
  Labels: labels,
  Containers: optional(object({})),
})

const volume = object({
  Name: text,
  Driver: text,
  Mountpoint: text,
  CreatedAt: optional(text),
  Labels: labels,
  Options: labels,
})

export const volumeList = object({ Volumes: optional(listOf(volume)) })
export const diskUsage = object({
  Volumes: optional(listOf(object({ Name: text, UsageData: optional(object({ Size: number })) }))),
})
export const createdVolume = object({ Labels: labels })
export const createdContainer = object({ Id: id, Warnings: texts })
export const createdImage = object({ Id: id })
export const createdExec = object({ Id: id })
export const createdNetwork = object({ Id: id, Warning: optional(text) })

export const systemInfo = object({
  ServerVersion: text,
  OSType: text,
  Architecture: text,
  NCPU: number,
  MemTotal: number,
})

/** How a container or a command ended. */
export const waitResult = object({ StatusCode: number })

export const processList = object({
  Titles: listOf(text),
  Processes: optional(listOf(listOf(text))),
})
