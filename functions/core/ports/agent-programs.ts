/** Replaces the programs of agents. */
export interface AgentPrograms {
  /**
   * Sends a new version of its program to the agent of a host. Resolves once the agent tries it;
   * its facts say how that went.
   *
   * @throws an error with the reason if the agent does not take it
   */
  replace(hostId: string, program: string): Promise<void>
}
