/** The version of the service, the client and the package. */
export const version = '0.1.0'
