/** One spoke: a share of what can be reached, and that of the college where it is told. */
export interface Spoke {
  name: string
  /** As text; the figure needs no more than that. */
  score: string
  /** 0 to 1. */
  share: number
  mean: number | null
}

/** Wider than high: the names stand beside it. */
const [width, height] = [360, 250]
const reach = 92

const at = (index: number, of: number, share: number): [number, number] => {
  const angle = (index / of) * 2 * Math.PI - Math.PI / 2
  return [width / 2 + Math.cos(angle) * reach * share, height / 2 + Math.sin(angle) * reach * share]
}
const ring = (shares: readonly number[]): string =>
  shares.map((share, index) => at(index, shares.length, share).map((value) => value.toFixed(1))).join(' ')

/** What somebody has of each ability, beside the mean of their college; the same figures stand below as a table. */
export function Radar({ spokes }: { spokes: readonly Spoke[] }) {
  if (spokes.length < 3) return null
  return (
    <figure className="s-radar">
      <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        {[0.25, 0.5, 0.75, 1].map((share) => (
          <polygon key={share} className="s-radar-rim" points={ring(spokes.map(() => share))} />
        ))}
        {spokes.some(({ mean }) => mean !== null) && (
          <polygon className="s-radar-mean" points={ring(spokes.map(({ mean }) => mean ?? 0))} />
        )}
        <polygon className="s-radar-own" points={ring(spokes.map(({ share }) => share))} />
        {spokes.map(({ name }, index) => {
          const [x, y] = at(index, spokes.length, 1.16)
          return (
            <text
              key={name}
              x={x}
              y={y + 4}
              textAnchor={Math.abs(x - width / 2) < 12 ? 'middle' : x > width / 2 ? 'start' : 'end'}
            >
              {name.slice(0, 5)}
            </text>
          )
        })}
      </svg>
      <div className="visually-hidden">
        <table>
          <caption>能力得分</caption>
          <tbody>
            {spokes.map(({ name, score }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{score}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}
