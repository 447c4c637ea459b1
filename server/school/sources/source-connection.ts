/** Where the data of a source are and how they are reached; which of the fields matter depends on its way. */
export interface SourceConnection {
  fileName: string
  address: string
  format: string
  jsonPath: string
  viewName: string
  /** SCIM: which of the records are asked for; empty for all. */
  scimFilter: string
  /** SFTP: the fingerprint under which the server is known, `SHA256:…`; empty until somebody has accepted it. */
  hostKey: string
  columns: { from: string; to: string }[]
}
