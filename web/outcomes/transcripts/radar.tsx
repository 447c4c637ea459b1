import { radarShares, rimText } from '../../../contract/outcomes/transcripts/radar.ts'
import { printName, printWords } from '../../../contract/outcomes/transcripts/words.ts'
import type { TranscriptHeader } from './use-transcript.ts'

const size = { width: 320, height: 236, radius: 92 }
const middle = { x: size.width / 2, y: size.height / 2 + 6 }

/** The abilities of a student on as many spokes; where the college's average is known, dashed beside them. */
export function Radar({ ability, modelled, lang }: Pick<TranscriptHeader, 'ability' | 'modelled' | 'lang'>) {
  const point = (at: number, share: number): [number, number] => {
    const angle = (2 * Math.PI * at) / ability.length - Math.PI / 2
    return [middle.x + size.radius * share * Math.cos(angle), middle.y + size.radius * share * Math.sin(angle)]
  }
  const ring = (shares: readonly number[]) =>
    shares
      .map((share, at) =>
        point(at, share)
          .map((one) => one.toFixed(1))
          .join(','),
      )
      .join(' ')
  const { rim, shares } = radarShares(ability, modelled)
  const isCompared = ability.every(({ avgCollege }) => avgCollege !== null)
  return (
    <figure className="radar">
      <svg
        viewBox={`0 0 ${size.width} ${size.height}`}
        role="img"
        aria-label={`${printWords(lang).ability}: ${ability.map(({ name, score }) => `${printName(lang, name)} ${score}`).join(', ')}`}
      >
        {[0.25, 0.5, 0.75, 1].map((level) => (
          <polygon key={level} className="radar-ring" points={ring(ability.map(() => level))} />
        ))}
        {ability.map(({ sqlId }, at) => (
          <line
            key={sqlId}
            className="radar-ring"
            x1={middle.x}
            y1={middle.y}
            x2={point(at, 1)[0]}
            y2={point(at, 1)[1]}
          />
        ))}
        {isCompared && <polygon className="radar-average" points={ring(shares.map(({ college }) => college ?? 0))} />}
        <polygon className="radar-own" points={ring(shares.map(({ own }) => own))} />
        {ability.map(({ sqlId, name, score, color }, at) => {
          const [dotX, dotY] = point(at, shares[at]!.own)
          const [x, y] = point(at, 1.14)
          const anchor = Math.abs(x - middle.x) < size.radius * 0.15 ? 'middle' : x > middle.x ? 'start' : 'end'
          return (
            <g key={sqlId}>
              <circle className="radar-dot" cx={dotX} cy={dotY} r="3" style={color ? { fill: color } : undefined} />
              <text x={x} y={y + 4} textAnchor={anchor}>
                {printName(lang, name)} <tspan>{score}</tspan>
              </text>
            </g>
          )
        })}
      </svg>
      <figcaption>
        {rimText(rim, lang)}
        {isCompared && printWords(lang).compared}
      </figcaption>
    </figure>
  )
}
