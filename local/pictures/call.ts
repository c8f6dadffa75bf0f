/** Sends a request as the admin. Throws unless it succeeds. */
export type Call = <T = unknown>(method: string, path: string, body?: unknown) => Promise<T>
