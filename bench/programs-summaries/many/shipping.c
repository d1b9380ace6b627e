/* What it costs to ship an order of several parcels. */
#include <clew.h>
#include <stdbool.h>

enum { PARCELS = 2 };

typedef struct Parcel {
    int grams;
    int length, width, height; /* cm */
    bool is_fragile;
} Parcel;

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int rate_of_weight(int grams)
{
    if (grams <= 500) return 390;
    if (grams <= 2000) return 550;
    if (grams <= 10000) return 990;
    return 1890;
}

static bool is_bulky(const Parcel *parcel)
{
    int longest = larger(parcel->length, larger(parcel->width, parcel->height));
    return longest > 120;
}

static int surcharge_of(const Parcel *parcel)
{
    int surcharge = 0;
    if (is_bulky(parcel)) surcharge += 700;
    if (parcel->is_fragile) surcharge += 250;
    return surcharge;
}

static int cost_of(const Parcel *parcel, int zone)
{
    int cost = rate_of_weight(parcel->grams) + surcharge_of(parcel);
    if (zone == 2) cost += cost / 2;
    else if (zone >= 3) cost *= 2;
    return cost;
}

static int discount_of(int total, bool is_member)
{
    if (total >= 10000) return is_member ? 15 : 10;
    if (total >= 5000) return is_member ? 5 : 0;
    return 0;
}

static Parcel read_parcel(void)
{
    Parcel parcel = {clew_range(1, 30001, "grams"), clew_range(1, 201, "length"), clew_range(1, 201, "width"), clew_range(1, 201, "height"),
                     clew_bool("fragile")};
    return parcel;
}

int main(void)
{
    Parcel parcels[PARCELS];
    for (int i = 0; i < PARCELS; i++) parcels[i] = read_parcel();
    int zone = clew_range(1, 5, "zone"), total = 0;
    for (int i = 0; i < PARCELS; i++) total += cost_of(&parcels[i], zone);
    int percent = discount_of(total, clew_bool("member"));
    total -= total * percent / 100;
    clew_assert(total != 4750); /* a total that the accounts cannot take */
    return percent > 0 ? 1 : 0;
}
