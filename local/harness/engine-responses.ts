/** Responses of an Engine, for servers that stand in for one. */

/** Returns an entry of the list of containers. */
export const listedContainer = (name: string) => ({
  Id: name,
  Names: [`/${name}`],
  Image: 'busybox:latest',
  ImageID: `sha256:${name}`,
  State: 'running',
  Status: 'Up',
  Created: 1,
  Labels: {},
  Ports: [],
  Mounts: [],
})

/** Returns the inspection of a running container. */
export const inspectedContainer = (id: string, name = id) => ({
  Id: id,
  Name: `/${name}`,
  Image: `sha256:${id}`,
  RestartCount: 0,
  Mounts: [],
  Config: { Image: 'busybox:latest' },
  State: { Status: 'running', Running: true, ExitCode: 0, StartedAt: '', FinishedAt: '' },
  HostConfig: {},
  NetworkSettings: { Networks: {} },
})
