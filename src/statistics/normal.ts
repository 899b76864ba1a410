/**
 * The normal quantile: the x below which a standard normal variable falls with probability p.
 * Wichura's algorithm AS 241 (PPND16), Applied Statistics 37 (1988): relative error about 1e-16.
 * Its coefficients stand below rounded to doubles. -Infinity at 0, Infinity at 1; throws RangeError outside [0, 1].
 */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) throw new RangeError(`a probability lies in [0, 1], not ${p}`);
  if (p === 0) return -Infinity;
  if (p === 1) return Infinity;
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q;
    return (q * polynomial(CENTRE_NUM, r)) / polynomial(CENTRE_DEN, r);
  }
  const r = Math.sqrt(-Math.log(q < 0 ? p : 1 - p));
  const x =
    r <= 5
      ? polynomial(MIDDLE_NUM, r - 1.6) / polynomial(MIDDLE_DEN, r - 1.6)
      : polynomial(TAIL_NUM, r - 5) / polynomial(TAIL_DEN, r - 5);
  return q < 0 ? -x : x;
}

/**
 * The probability that a standard normal variable lies below x.
 * Marsaglia's Taylor series (Journal of Statistical Software 11, 2004); absolute error below 1e-14.
 */
export function normalCdf(x: number): number {
  // Beyond, the series cancels and the probability is 0 or 1 to within 1e-15.
  if (x < -8) return 0;
  if (x > 8) return 1;
  let sum = x;
  let term = x;
  let before = 0;
  for (let i = 3; sum !== before; i += 2) {
    before = sum;
    term *= (x * x) / i;
    sum += term;
  }
  return 0.5 + (sum * Math.exp(-(x * x) / 2)) / Math.sqrt(2 * Math.PI);
}

/** The z that leaves (1 - level) / 2 on either side: 1.96 for 0.95. Throws RangeError outside (0, 1). */
export function twoSidedZ(level: number): number {
  if (!(level > 0 && level < 1)) {
    throw new RangeError(`a confidence level lies between 0 and 1, not ${level}`);
  }
  return -normalQuantile((1 - level) / 2);
}

/** Coefficients in rising powers (Horner). */
function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduceRight((sum, c) => sum * x + c, 0);
}

// In rising powers.
const CENTRE_NUM = [
  3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987,
  67265.7709270087, 33430.57558358813, 2509.0809287301227,
];
const CENTRE_DEN = [
  1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271,
  28729.085735721943, 5226.495278852854,
];
const MIDDLE_NUM = [
  1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684,
  0.2417807251774506, 0.022723844989269184, 0.0007745450142783414,
];
const MIDDLE_DEN = [
  1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008,
  0.015198666563616457, 0.0005475938084995345, 1.0507500716444169e-9,
];
const TAIL_NUM = [
  6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487,
  0.026532189526576124, 0.0012426609473880784, 2.7115555687434876e-5, 2.0103343992922881e-7,
];
const TAIL_DEN = [
  1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133,
  1.8463183175100548e-5, 1.421511758316446e-7, 2.0442631033899397e-15,
];
