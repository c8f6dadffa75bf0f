/** The client's version, equal to the package's. */
export const version = '0.1.0'
