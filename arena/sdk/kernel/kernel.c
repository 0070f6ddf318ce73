/* Random playouts of trick play. It knows no game: arena/games/playouts.py explains the tables, and twin.py does
   exactly the same in Python, bit for bit. Only integers, no memory of its own, no calls to the C library. */

#include <stdint.h>

enum { SEATS = 5, CARDS = 64, NODES = 36, SUITS = 5, OWED = 4, TALLIES = 256, TRICKS = 16, ROUNDS = 2, NONE = 255 };

typedef struct {
    int32_t seats;
    int32_t piles;  /* whether cards are drawn from piles */
    int32_t levels; /* masks in a row of `owed` that are used */
    int32_t fast;   /* set by `prepare` */
    uint64_t always;
    uint64_t owed[NODES][OWED];
    int32_t points[SEATS][TALLIES];
    uint32_t prize[CARDS];
    uint32_t worth[CARDS];
    uint16_t power[NODES][CARDS];
    uint8_t after[NODES][SUITS];
    uint8_t last[NODES]; /* whether no card leads to another node */
    uint8_t suits[CARDS];
    uint8_t bid_shift[CARDS];
    uint8_t bid_points[CARDS];
    uint8_t draws[TRICKS][SEATS];
} Tables;

typedef struct {
    int32_t seat;
    int32_t tricks;
    int32_t size; /* cards in the trick */
    uint32_t tallies[SEATS];
    uint8_t trick[SEATS];
} Position;

typedef struct {
    uint64_t hands[SEATS];
    uint8_t bids[ROUNDS][SEATS]; /* NONE without a bid */
    uint8_t piles[SEATS][TRICKS]; /* rings: the top card at `tops` */
    uint8_t tops[SEATS];
    uint8_t sizes[SEATS];
} World;

/* Random numbers: PCG32 (O'Neill 2014, XSH-RR); streams are seeded by SplitMix64 (Steele, Lea and Flood 2014). */

typedef struct { uint64_t state; } Stream;

static Stream stream(uint64_t seed, uint64_t number) {
    uint64_t z = seed + (number + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (Stream){z ^ (z >> 31)};
}

static uint32_t next(Stream *s) {
    uint64_t old = s->state;
    s->state = old * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint32_t mixed = (uint32_t)(((old >> 18) ^ old) >> 27), turn = (uint32_t)(old >> 59);
    return (mixed >> turn) | (mixed << (-turn & 31));
}

/* A number below n, each equally likely (Lemire 2019). */
static uint32_t below(Stream *s, uint32_t n) {
    uint64_t product = (uint64_t)next(s) * n;
    if ((uint32_t)product < n)
        for (uint32_t least = -n % n; (uint32_t)product < least;) product = (uint64_t)next(s) * n;
    return (uint32_t)(product >> 32);
}

/* Cards. A branch that depends on chance costs more than all else, so x86-64 takes a card with one instruction (pdep),
   except on two AMD families that are slow at it. */

#ifdef __x86_64__
static int has_deposit(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("bmi2") && !__builtin_cpu_is("znver1") && !__builtin_cpu_is("znver2");
}

static uint64_t deposit(uint64_t bits, uint64_t mask) {
    __asm__("pdepq %2, %1, %0" : "=r"(bits) : "r"(bits), "r"(mask));
    return bits;
}

static uint64_t population(uint64_t cards) {
    __asm__("popcntq %0, %0" : "+r"(cards) : : "cc");
    return cards;
}
#else
static int has_deposit(void) { return 0; }
static uint64_t deposit(uint64_t bits, uint64_t mask) { return bits & mask; }
static uint64_t population(uint64_t cards) { return cards; }
#endif

static uint32_t count(uint64_t cards, int fast) {
    if (fast) return (uint32_t)population(cards);
    cards -= (cards >> 1) & UINT64_C(0x5555555555555555);
    cards = (cards & UINT64_C(0x3333333333333333)) + ((cards >> 2) & UINT64_C(0x3333333333333333));
    return (uint32_t)((((cards + (cards >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F)) * UINT64_C(0x0101010101010101)) >> 56);
}

/* The card at a place, counted from 0 in ascending order. */
static int card_at(uint64_t cards, uint32_t place, int fast) {
    if (fast) return __builtin_ctzll(deposit(UINT64_C(1) << place, cards));
    while (place--) cards &= cards - 1;
    return __builtin_ctzll(cards);
}

static int choose(const Tables *t, int node, uint64_t hand, Stream *s) {
    uint64_t cards = hand;
    for (int i = t->levels; i--;) {
        uint64_t following = hand & t->owed[node][i];
        cards = following ? following | (hand & t->always) : cards;
    }
    return card_at(cards, below(s, count(cards, t->fast)), t->fast);
}

/* Piles */

static void put_back(const Tables *t, World *w, int seat, Stream *s) {
    uint64_t hand = w->hands[seat];
    uint32_t left = count(hand, t->fast), orders = 1;
    for (uint32_t n = 2; n <= left; n++) orders *= n;
    uint32_t order = orders > 1 ? below(s, orders) : 0; /* one card has no order to choose */
    for (; left; left--) {
        orders /= left;
        int card = card_at(hand, order / orders, t->fast);
        order %= orders;
        hand ^= UINT64_C(1) << card;
        w->piles[seat][(w->tops[seat] + w->sizes[seat]++) % TRICKS] = (uint8_t)card;
    }
}

static void draw(World *w, int seat, int number) {
    w->hands[seat] = 0;
    for (; number; number--, w->sizes[seat]--)
        w->hands[seat] |= UINT64_C(1) << w->piles[seat][w->tops[seat]++ % TRICKS];
}

/* Playouts */

static void score(const Tables *t, const World *w, const uint32_t *tallies, int64_t *points) {
    for (int seat = 0; seat < t->seats; seat++) {
        points[seat] += t->points[seat][tallies[seat] % TALLIES];
        for (int round = 0; round < ROUNDS; round++) {
            int card = w->bids[round][seat], won = card != NONE;
            for (int other = 0; won && other < t->seats; other++)
                won = (tallies[other] >> t->bid_shift[card] & 15) <= (tallies[seat] >> t->bid_shift[card] & 15);
            if (won) points[seat] += t->bid_points[card];
        }
    }
}

/* Finish the current trick, with `card` next unless it is NONE. */
static void finish_trick(const Tables *restrict t, Position *restrict p, World *restrict w, int card, Stream *s) {
    int node = 0, seat = p->seat, seats = t->seats, trick[SEATS];
    uint32_t worth = 0, best = 0;
    for (int i = 0; i < p->size; i++) {
        trick[i] = p->trick[i];
        node = t->after[node][t->suits[trick[i]]];
    }
    for (int i = p->size; i < seats; i++, card = NONE) {
        if (card == NONE) card = choose(t, node, w->hands[seat], s);
        w->hands[seat] ^= UINT64_C(1) << card;
        trick[i] = card;
        if (!t->last[node]) node = t->after[node][t->suits[card]];
        if (++seat == seats) seat = 0;
    }
    for (int i = 0; i < seats; i++) {
        uint32_t power = t->power[node][trick[i]] * 8u + 7u - (uint32_t)i; /* the earliest of equal cards wins */
        worth += t->worth[trick[i]];
        best = power > best ? power : best;
    }
    int place = 7 - (int)(best % 8), winner = seat + place - (seat + place >= seats ? seats : 0);
    p->tallies[winner] += worth + t->prize[trick[place]];
    p->seat = t->piles ? seat : winner;
    p->size = 0;
}

static void play_out(const Tables *t, Position p, World w, int card, Stream *s, int64_t *points) {
    for (; p.tricks; card = NONE) {
        finish_trick(t, &p, &w, card, s);
        p.tricks--;
        if (t->piles && p.tricks) {
            for (int seat = 0; seat < t->seats; seat++) put_back(t, &w, seat, s);
            for (int seat = 0; seat < t->seats; seat++) draw(&w, seat, t->draws[p.tricks - 1][seat]);
        }
    }
    score(t, &w, p.tallies, points);
}

void prepare(Tables *t) { t->fast = has_deposit(); }

/* Play each of the `actions` in each world and play on at random, `repeats` times with the streams from `first` on;
   every action meets the same streams. Add up the points of a world and their products, by action and seat. */
void play_outs(const Tables *t, const Position *p, const World *worlds, int64_t number, int64_t repeats,
               const uint8_t *actions, int64_t choices, uint64_t seed, uint64_t first,
               int64_t *sums, int64_t *products) {
    for (int64_t i = 0; i < number; i++)
        for (int64_t a = 0; a < choices; a++) {
            int64_t points[SEATS] = {0}, *sum = sums + a * SEATS, *product = products + a * SEATS * SEATS;
            for (int64_t r = 0; r < repeats; r++) {
                Stream s = stream(seed, first + (uint64_t)(i * repeats + r));
                play_out(t, *p, worlds[i], actions[a], &s, points);
            }
            for (int one = 0; one < t->seats; one++) {
                sum[one] += points[one];
                for (int two = 0; two < t->seats; two++) product[one * SEATS + two] += points[one] * points[two];
            }
        }
}

/* The first bytes of this file's hash, with which the build calls the compiler: another file does not fit. */
uint64_t source(void) { return SOURCE; }
