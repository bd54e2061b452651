/** Finding the name that somebody meant. */

/**
 * The nearest of `candidates`, or null when none is near: at most a quarter of the name's characters inserted, removed or
 * replaced. The first of several equally near ones.
 */
export function nearestName(name: string, candidates: readonly string[]): string | null {
  let nearest: string | null = null;
  let smallest = Math.floor(name.length / 4) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= smallest) continue;
    const distance = editDistance(name, candidate);
    if (distance < smallest) {
      smallest = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

/** Levenshtein distance in code units, one row at a time. */
export function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}
