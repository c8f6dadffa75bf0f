/** The service's version; the client's and the package's are the same. */
export const version = '0.1.0'
