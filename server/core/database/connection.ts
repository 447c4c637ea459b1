/** How to reach a PostgreSQL: one address text, or its parts. */
export interface Connection {
  connectionString?: string
  host?: string
  port?: number
  user?: string
  password?: string
  database?: string
  ssl?: boolean
}
