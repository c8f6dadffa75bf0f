/** The client's version: the package's own. */
export const version = '0.1.0'
