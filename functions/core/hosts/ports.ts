/** A machine with an Engine. The local one always exists, under the id `local`. */
export interface Host {
  id: string
  name: string
  kind: 'local' | 'agent'
  tags: string[]
  /** Where stacks live on it: an absolute path on the host. */
  stacksDirectory: string
}

export interface Hosts {
  find(id: string): Promise<Host | undefined>
  list(): Promise<Host[]>
  /** Writes the record whole. Where the local host keeps its stacks is configured, and stays. */
  save(host: Host): Promise<void>
}
