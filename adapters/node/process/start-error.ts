/** The service cannot start. The message is meant for the person who started it. */
export class StartError extends Error {
  override name = 'StartError'
}
