/** Answers as an Engine gives them, for servers in the place of one. */

/** An entry of the list of containers. */
export const listedContainer = (name: string) => ({
  ...{ Id: name, Names: [`/${name}`], Image: 'busybox:latest', ImageID: `sha256:${name}` },
  ...{ State: 'running', Status: 'Up', Created: 1, Labels: {}, Ports: [], Mounts: [] },
})

/** The inspection of a container that runs. */
export const inspectedContainer = (id: string, name = id) => ({
  ...{ Id: id, Name: `/${name}`, Image: `sha256:${id}`, RestartCount: 0, Mounts: [] },
  Config: { Image: 'busybox:latest' },
  State: { Status: 'running', Running: true, ExitCode: 0, StartedAt: '', FinishedAt: '' },
  ...{ HostConfig: {}, NetworkSettings: { Networks: {} } },
})
