/** Returns what is wrong with the name of a container that another service has. */
export const sameContainerName = (container: string, service: string): string =>
  `container name "${container}" is already in use by service ${service}`
